"""Passes deliveries to the samples in the working folder, and prints the status of each: a line of JSON in, a line out."""

import base64
import contextlib
import io
import json
import os
import sys

sys.path.insert(0, os.getcwd())


def flask():
    from flask_app import app

    client = app.test_client()
    return lambda body, headers: client.post("/webhooks", data=body, headers=headers).status_code


def fastapi():
    from fastapi.testclient import TestClient
    from fastapi_app import app

    client = TestClient(app)
    return lambda body, headers: client.post("/webhooks", content=body, headers=headers).status_code


def django():
    import django
    from django.conf import settings
    from django.test import Client
    from django.urls import path

    settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], MIDDLEWARE=["django.middleware.csrf.CsrfViewMiddleware"])
    django.setup()
    import views

    global urlpatterns
    urlpatterns = [path("webhooks", views.webhooks)]
    client = Client(enforce_csrf_checks=True)
    return lambda body, headers: client.post("/webhooks", data=body, content_type="application/json", headers=headers).status_code


send = {"flask": flask, "fastapi": fastapi, "django": django}[sys.argv[1]]()
for line in sys.stdin:
    delivery = json.loads(line)
    os.environ["BAKERY_WEBHOOK_SECRET"] = delivery["secret"]
    with contextlib.redirect_stdout(io.StringIO()):  # the samples print the type of each event
        status = send(base64.b64decode(delivery["base64"]), delivery["headers"])
    print(status, flush=True)
